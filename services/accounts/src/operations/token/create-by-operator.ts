/** Gives a fresh token of a local person to an operator. */
import { tokenCreateByOperator } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { parseScopes, validScopes } from '@murmuration/contracts/scopes'
import { makeToken } from '../../changes/token.js'
import { OUT_OF_BAND } from '../../domain/application.js'
import { problem, refusalOf } from '../../domain/problem.js'
import { handle } from '../../doors.js'
import { applicationByClientId, insertApplication } from '../../store/application.js'
import { personByUsername } from '../../store/user.js'

/** The application under which tokens of operators stand. */
const CLIENT_ID = 'operator'

export const createTokenByOperator = handle(tokenCreateByOperator, async (ctx, _viewer, input) => {
  const scopes = parseScopes(input.scopes)
  if (!validScopes(scopes))
    throw refusalOf([problem('scopes', 'ERR_INCLUSION', "doesn't match configured on the server.")])
  const person = await personByUsername(ctx.db, input.username.trim().replace(/^@/, ''))
  if (!person) throw notFound(`There is no account named ${input.username.trim()}`)
  await insertApplication(ctx.db, {
    id: ctx.ids.next(),
    client_id: CLIENT_ID,
    // Nobody has the secret: this application never signs in by itself.
    secret_hash: ctx.tokens.nonce(),
    name: 'Command line',
    website: null,
    redirect_uris: [OUT_OF_BAND],
    scopes: ['read'],
    createdAt: ctx.clock.date(),
  })
  const app = await applicationByClientId(ctx.db, CLIENT_ID)
  if (!app) throw new Error('the application of operators is missing')
  const grant = { applicationId: app.id, userId: person.user_id, scopes }
  const token = await ctx.db.tx((tx) => makeToken(ctx, tx, grant, true))
  return { token: token.value, scopes: [...token.scopes] }
})
