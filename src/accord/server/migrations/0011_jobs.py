import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("server", "0010_unblinding"),
    ]

    operations = [
        migrations.CreateModel(
            name="Job",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=200)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="running",
                        max_length=10,
                    ),
                ),
                ("done", models.FloatField(default=0.0)),
                ("by", models.CharField(max_length=200)),
                ("begun_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("seen_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("finished_at", models.DateTimeField(null=True)),
                ("problem", models.TextField(blank=True)),
                ("data_state", models.CharField(max_length=64)),
                ("file", models.CharField(blank=True, max_length=200)),
                ("size", models.BigIntegerField(default=0)),
            ],
            options={"ordering": ["id"]},
        ),
    ]
