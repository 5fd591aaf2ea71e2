import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("server", "0009_study_events"),
    ]

    operations = [
        migrations.CreateModel(
            name="Unblinding",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("named", models.BooleanField()),
                ("by", models.CharField(max_length=200)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={"ordering": ["id"]},
        ),
    ]
