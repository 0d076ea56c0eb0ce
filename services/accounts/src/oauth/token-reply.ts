/** Renders Token JSON, with headers that prevent caching. */
import type { Token } from '@murmuration/contracts'
import { type Reply, reply } from '@murmuration/contracts/kit'
import type { GivenToken } from '../core/token/token.js'

export const unixSeconds = (time: Date): number => Math.floor(time.getTime() / 1_000)

export const tokenReply = (token: GivenToken): Reply<Token> =>
  reply<Token>(
    {
      access_token: token.value,
      token_type: 'Bearer',
      scope: token.scopes.join(' '),
      created_at: unixSeconds(token.createdAt),
    },
    { headers: { 'Cache-Control': 'no-store', Pragma: 'no-cache' } },
  )
