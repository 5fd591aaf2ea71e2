"""The study that the judgements belong to."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("server", "0004_phases_and_plan"),
    ]

    operations = [
        migrations.CreateModel(
            name="KeptStudy",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("marks", models.JSONField(default=dict)),
                ("changes", models.JSONField(default=list)),
                ("judgements", models.PositiveIntegerField()),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={"ordering": ["id"]},
        ),
    ]
