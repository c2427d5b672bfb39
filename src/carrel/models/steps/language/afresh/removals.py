"""Taking something out of where it is, said with the place first or around the verb."""

from __future__ import annotations

from carrel.models.steps.language.afresh.turns import Turn, turn

__all__ = ["REMOVALS"]

REMOVALS: tuple[Turn, ...] = (
    # 从购物车里删除“雨伞”, 把“雨伞”从购物车中移除
    turn(
        r"(?:把|将)(?P<what>[^，。；]+?)从[^，。；]{1,12}?(?:里面?|中|上)?(?P<verb>删除|移除|删掉|去掉|移出)(?:掉)?",
        r"删除\g<what>",
    ),
    turn(
        r"从[^，。；]{1,12}?(?:里面?|中|上)?(?:把|将)?(?P<verb>删除|移除|删掉|去掉|移出)(?=[^，。；了])",
        "删除",
    ),
    # "From the wishlist, remove the tent"
    turn(
        r"(?:^|(?<=[.;] ))from\s+(?P<place>the\s+[\w ]{2,30}?),?\s+(?P<verb>remove|delete|take out)"
        r"\s+(?P<what>[^,.;]+)",
        r"\g<verb> \g<what> from \g<place>",
    ),
)
