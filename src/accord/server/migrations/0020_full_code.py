from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("server", "0019_rounds_numbered"),
    ]

    operations = [
        migrations.AddField("crowdentrance", "full_code", models.CharField(blank=True, default="", max_length=200)),
    ]
