/** Creates a local account for an operator or staff. Only operators choose or see its password. */
import { accountCreateByOperator, userManaged } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { writeLetter } from '../../changes/letter.js'
import { createPerson } from '../../changes/person.js'
import { problem, refusalOf } from '../../domain/problem.js'
import { handle } from '../../doors.js'
import { authorizeRole, roleByName } from '../../role/index.js'

export const createAccountByOperator = handle(accountCreateByOperator, async (ctx, viewer, input) => {
  if (viewer && input.password) throw fail('forbidden', 'This action is not allowed')
  const role = input.role ? await roleByName(ctx.db, input.role) : null
  if (input.role && !role) throw refusalOf([problem('role', 'ERR_INCLUSION', 'is not included in the list')])
  const username = input.username.trim()
  const email = input.email.trim()
  const password = input.password ?? ctx.tokens.random()
  const locale = ctx.policy.settings().languages[0] ?? 'en'
  const { confirmed } = input
  const { id } = await createPerson(
    ctx,
    {
      username,
      email,
      password,
      roleId: role?.id ?? null,
      confirmed,
      approved: true,
      locale,
      mayBeReserved: viewer === null,
    },
    async (tx, ids) => {
      if (role) await authorizeRole(tx, viewer, role)
      if (viewer) await writeLetter(ctx, tx, { user_id: ids.userId, username, email, locale }, 'password-reset')
      await ctx.announce(tx, userManaged, {
        by: viewer?.id ?? null,
        action: 'create_user',
        targetId: ids.id,
        target: username,
        before: null,
        after: { role: role?.name ?? null, confirmed },
      })
    },
  )
  return { id, username, email, password: viewer ? null : password }
})
