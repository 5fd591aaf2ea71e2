from django.db import migrations


def number_as_rounds(apps, schema_editor):
    """What was measured after round 1 was called round-2, as the first measurement was counted too."""
    again, task = apps.get_model("server", "Again"), apps.get_model("server", "Task")
    given = again.objects.exclude(round=None).values_list("task_id", "round__number")
    for number in {number for _, number in given}:
        own = again.objects.filter(round__number=number).values("task_id")
        task.objects.filter(pk__in=own).update(phase=f"after-round-{number}")


class Migration(migrations.Migration):
    dependencies = [
        ("server", "0018_maker_of_a_token"),
    ]

    operations = [
        migrations.RunPython(number_as_rounds, migrations.RunPython.noop),
    ]
