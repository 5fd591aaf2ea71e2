from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("server", "0011_jobs"),
    ]

    operations = [
        migrations.AddField("ruling", "marks", models.JSONField(null=True)),
        migrations.AddField(
            "ruling", "marked", models.CharField(blank=True, default="", max_length=200), preserve_default=False
        ),
    ]
