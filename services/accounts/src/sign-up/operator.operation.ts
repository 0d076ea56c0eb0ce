/** Handlers that create local accounts for operators and staff. */
import { createAccountByOperator, firstAdmin, userManaged } from '@murmuration/contracts/accounts'
import { fail, type Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { asciiEmail, normaliseDomain } from '@murmuration/text'
import type { Context } from '../context.js'
import { problem, refusalOf } from '../core/problem.rules.js'
import { hasOwner, roleByName } from '../core/role/store.js'
import { userByUsername } from '../core/user/store.js'
import { handle } from '../handlers.js'
import { writeMail } from '../mail/index.js'
import { authorizeRole } from '../role/index.js'
import { createUser } from './create.js'

interface Created {
  id: string
  username: string
  role: string | null
  confirmed: boolean
}

/** Announces a created account for the audit log. `by` is null for operators. */
const announceCreated = (ctx: Context, tx: Tx, by: Viewer | null, { id, username, ...after }: Created): Promise<void> =>
  ctx.announce(tx, userManaged, {
    by: by?.id ?? null,
    action: 'create_user',
    targetId: id,
    target: username,
    before: null,
    after,
  })

/**
 * Creates a local account for an operator or staff. Only an operator chooses or sees the password. If staff creates the
 * account, the user gets a link by e-mail to set a password.
 */
export const createByOperator = handle(createAccountByOperator, async (ctx, viewer, input) => {
  if (viewer && input.password) throw fail('forbidden', 'This action is not allowed')
  const role = input.role ? await roleByName(ctx.db, input.role) : null
  if (input.role && !role) throw refusalOf([problem('role', 'ERR_INCLUSION', 'is not included in the list')])
  const username = input.username.trim()
  const email = asciiEmail(input.email)
  const password = input.password ?? ctx.tokens.random()
  const locale = ctx.policy.settings().languages[0] ?? 'en'
  const { confirmed } = input
  const { id } = await createUser(
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
      if (viewer) await writeMail(ctx, tx, { user_id: ids.userId, username, email, locale }, 'password-reset')
      await announceCreated(ctx, tx, viewer, { id: ids.id, username, role: role?.name ?? null, confirmed })
    },
  )
  return { id, username, email, password: viewer ? null : password }
})

const NAME = 'admin'

/** Creates the first owner of a new server, unless an owner exists. */
export const createFirstAdmin = handle(firstAdmin, async (ctx) => {
  if (await hasOwner(ctx.db)) return { created: false }
  const role = await roleByName(ctx.db, 'Owner')
  if (!role) throw fail('unavailable', 'There is no role named Owner')
  const email = `${NAME}@${normaliseDomain(ctx.site.localDomain) ?? 'localhost'}`
  const password = ctx.tokens.random()
  try {
    await createUser(
      ctx,
      {
        username: NAME,
        email,
        password,
        roleId: role.id,
        confirmed: true,
        approved: true,
        locale: ctx.policy.settings().languages[0] ?? 'en',
        mayBeReserved: true,
      },
      (tx, { id }) => announceCreated(ctx, tx, null, { id, username: NAME, role: role.name, confirmed: true }),
    )
  } catch (error) {
    // A process that started concurrently has created the account.
    if (await userByUsername(ctx.db, NAME)) return { created: false }
    throw error
  }
  return { created: true, username: NAME, email, password }
})
