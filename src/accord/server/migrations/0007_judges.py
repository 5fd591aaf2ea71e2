"""Language models among the raters, and what they judge with."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("server", "0006_access"),
    ]

    operations = [
        migrations.AddField(
            model_name="rater",
            name="kind",
            field=models.CharField(choices=[("human", "Human"), ("model", "Model")], default="human", max_length=10),
        ),
        migrations.AddField(model_name="rater", name="judged_with", field=models.JSONField(default=dict)),
    ]
