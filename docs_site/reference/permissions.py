"""Who may do what, from the table that the server goes by."""

from docs_site.markdown import cell, code, page, table
from natural9.games.citations import citation
from natural9.server.people.permissions import TABLE, Permission, Role, load_permissions


def permission_pages() -> dict[str, str]:
    permissions = load_permissions(TABLE).values()
    made = page(
        "Permissions",
        "Every action of the server stands here once. Whoever ranks higher in the pit may, too. Where a clause of the "
        "rules asks for a rank of its own, the table checks that as well.",
        "An auditor may do all that changes nothing, and nothing that changes anything. The orders are those of "
        "[the interface](http/shapes.md#staffcommand).",
        "## By action",
        table(
            ["to", "may", "changes anything", "orders at a table", "follows from"],
            (
                [
                    cell(one.says),
                    cell(one.who),
                    "yes" if one.changes else "no",
                    _commands(one),
                    cell(_source(one.paragraph)),
                ]
                for one in permissions
            ),
        ),
        "## By role",
        *(part for role in Role for part in _role(role, [one for one in permissions if role in one.roles])),
        about="Which role may do what, and where that follows from.",
    )
    return {"permissions.md": made}


def _commands(one: Permission) -> str:
    return ", ".join(code(tag) for tag in one.commands)


def _source(paragraph: str) -> str:
    return paragraph.capitalize() if paragraph.startswith("requirement") else citation(paragraph)


def _role(role: Role, permissions: list[Permission]) -> list[str]:
    return [f"### {role.title}", "\n".join(f"- {cell(one.says)}" for one in permissions)]
