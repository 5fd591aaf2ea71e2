from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("server", "0014_worked_examples"),
    ]

    operations = [
        migrations.AddIndex("task", models.Index(fields=["item"], name="task_of_item")),
        migrations.AddIndex("task", models.Index(fields=["document", "item"], name="task_of_document")),
    ]
