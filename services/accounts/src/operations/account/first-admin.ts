/** Makes the first owner of a fresh server, unless there is one. */
import { firstAdmin } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { normaliseDomain } from '@murmuration/text'
import { createPerson } from '../../changes/person.js'
import { handle } from '../../doors.js'
import { hasOwner, roleByName } from '../../role/index.js'
import { personByUsername } from '../../store/user.js'

const NAME = 'admin'

export const createFirstAdmin = handle(firstAdmin, async (ctx) => {
  if (await hasOwner(ctx.db)) return { created: false }
  const role = await roleByName(ctx.db, 'Owner')
  if (!role) throw fail('unavailable', 'There is no role named Owner')
  const email = `${NAME}@${normaliseDomain(ctx.site.localDomain) ?? 'localhost'}`
  const password = ctx.tokens.random()
  try {
    await createPerson(ctx, {
      username: NAME,
      email,
      password,
      roleId: role.id,
      confirmed: true,
      approved: true,
      locale: ctx.policy.settings().languages[0] ?? 'en',
      mayBeReserved: true,
    })
  } catch (error) {
    // Two starts at once make one admin; the other finds it there.
    if (await personByUsername(ctx.db, NAME)) return { created: false }
    throw error
  }
  return { created: true, username: NAME, email, password }
})
