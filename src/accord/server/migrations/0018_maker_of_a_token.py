from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("server", "0017_sent_forms"),
    ]

    operations = [
        migrations.AddField("apitoken", "by", models.CharField(blank=True, default="", max_length=400)),
    ]
