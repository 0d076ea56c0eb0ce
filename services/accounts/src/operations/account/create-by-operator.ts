/** Makes a local account for an operator; the answer is the only place where the password stands. */
import { accountCreateByOperator } from '@murmuration/contracts/accounts'
import { createPerson } from '../../changes/person.js'
import { problem, refusalOf } from '../../domain/problem.js'
import { handle } from '../../doors.js'
import { roleByName } from '../../role/index.js'

export const createAccountByOperator = handle(accountCreateByOperator, async (ctx, _viewer, input) => {
  const role = input.role ? await roleByName(ctx.db, input.role) : null
  if (input.role && !role) throw refusalOf([problem('role', 'ERR_INCLUSION', 'is not included in the list')])
  const username = input.username.trim()
  const email = input.email.trim()
  const password = input.password ?? ctx.tokens.random()
  const { id } = await createPerson(ctx, {
    username,
    email,
    password,
    roleId: role?.id ?? null,
    confirmed: input.confirmed,
    approved: true,
    locale: ctx.policy.settings().languages[0] ?? 'en',
    mayBeReserved: true,
  })
  return { id, username, email, password }
})
