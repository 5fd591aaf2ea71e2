from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("server", "0013_came_at"),
    ]

    operations = [
        migrations.AddField("rounditem", "is_example", models.BooleanField(default=False)),
    ]
