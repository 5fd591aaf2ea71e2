"""Events of a whole study: closed, opened again, archived, taken back."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("server", "0008_flags"),
    ]

    operations = [
        migrations.CreateModel(
            name="StudyEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "action",
                    models.CharField(
                        choices=[
                            ("close", "Close"),
                            ("reopen", "Reopen"),
                            ("archive", "Archive"),
                            ("take-back", "Take Back"),
                        ],
                        max_length=10,
                    ),
                ),
                ("by", models.CharField(max_length=200)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "ordering": ["id"],
            },
        ),
    ]
