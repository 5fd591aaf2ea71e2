import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("server", "0012_arbiter_marks"),
    ]

    operations = [
        migrations.AddField("rater", "came_at", models.DateTimeField(default=django.utils.timezone.now)),
    ]
