import re

from django.db import migrations, models
from django.db.models import PROTECT

_INSTEAD = re.compile(r"left; (\S+) was invited instead")


def link_replaced(apps, schema_editor):
    """Who took whose place was said in the reason of a decision before it was kept by itself."""
    rater, decision = apps.get_model("server", "Rater"), apps.get_model("server", "Decision")
    for one in decision.objects.filter(action="pause", reason__startswith="left; ").order_by("id"):
        found = _INSTEAD.match(one.reason)
        newcomer = rater.objects.filter(pseudonym=found[1]).first() if found else None
        if newcomer is not None:
            rater.objects.filter(pk=one.rater_id).update(replaced_by=newcomer)


class Migration(migrations.Migration):
    dependencies = [
        ("server", "0015_find_items"),
    ]

    operations = [
        migrations.AddField(
            "rater",
            "replaced_by",
            models.ForeignKey("server.rater", PROTECT, null=True, default=None, related_name="+"),
        ),
        migrations.AddField(
            "rater", "label", models.CharField(blank=True, default="", max_length=200), preserve_default=False
        ),
        migrations.RunPython(link_replaced, migrations.RunPython.noop),
    ]
