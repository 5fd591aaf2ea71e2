"""Gates of phases, and the plan of analysis as it was declared."""

import django.utils.timezone
from django.db import migrations, models

BEFORE = "the version before"


def keep_open(apps, schema_editor):  # type: ignore[no-untyped-def]
    """Raters of earlier versions were given every phase at once: what they were promised stays open."""
    task, event = apps.get_model("server", "Task"), apps.get_model("server", "PhaseEvent")
    phases = task.objects.exclude(phase="").order_by("phase").values_list("phase", flat=True).distinct()
    event.objects.bulk_create([event(phase=phase, action="open", by=BEFORE) for phase in phases])


class Migration(migrations.Migration):
    dependencies = [
        ("server", "0003_kept_effect"),
    ]

    operations = [
        migrations.CreateModel(
            name="KeptPlan",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64)),
                ("plan", models.JSONField(default=dict)),
                ("judgements", models.PositiveIntegerField()),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={"ordering": ["id"]},
        ),
        migrations.CreateModel(
            name="PhaseEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("phase", models.CharField(max_length=200)),
                ("action", models.CharField(choices=[("open", "Open"), ("close", "Close")], max_length=10)),
                ("by", models.CharField(max_length=200)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={"ordering": ["id"]},
        ),
        migrations.RunPython(keep_open, migrations.RunPython.noop),
    ]
