from django.db import migrations, models
from django.utils import timezone


class Migration(migrations.Migration):
    dependencies = [
        ("server", "0016_places_and_labels"),
    ]

    operations = [
        migrations.CreateModel(
            name="SentForm",
            fields=[
                ("word", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("at", models.DateTimeField(default=timezone.now)),
            ],
        ),
        migrations.AddField("crowdentrance", "made_at", models.DateTimeField(default=None, null=True)),
        migrations.AlterField("crowdentrance", "made_at", models.DateTimeField(default=timezone.now, null=True)),
    ]
