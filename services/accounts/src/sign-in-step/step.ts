/**
 * Begins steps of an unfinished sign-in. A step has a random value for the browser, and encrypted data that the next
 * step needs.
 */
import { fail } from '@murmuration/contracts/kit'
import type { Reader } from '@murmuration/db'
import type { Context } from '../context.js'
import { insertStep, type StepKind, type StepRow } from './store.js'

/** Lifetime of each kind of sign-in step in milliseconds: 5 to 15 minutes. */
const LIFE_MS: Record<StepKind, number> = { factor: 600_000, key: 300_000, provider: 900_000, identity: 900_000 }

const contextOf = (kind: StepKind): string => `sign-in step ${kind}`

/**
 * Begins a step and returns its random value. The database contains only the digest of the value, and encrypted data of
 * the step.
 */
export const beginStep = async (
  ctx: Pick<Context, 'tokens' | 'secretCipher' | 'clock'>,
  db: Reader,
  step: { kind: StepKind; userId: string | null; data?: object; challenge?: string },
): Promise<string> => {
  const value = ctx.tokens.random()
  const now = ctx.clock.now()
  await insertStep(db, {
    hash: ctx.tokens.digest(value),
    kind: step.kind,
    user_id: step.userId,
    encrypted_data: ctx.secretCipher.encrypt(JSON.stringify(step.data ?? {}), contextOf(step.kind)),
    challenge: step.challenge ?? null,
    createdAt: new Date(now),
    expiresAt: new Date(now + LIFE_MS[step.kind]),
  })
  return value
}

/** Returns the decrypted data of a sign-in step. Throws forbidden if SECRET_KEY_BASE was changed since the step began. */
export const dataOf = <T>(ctx: Pick<Context, 'secretCipher'>, step: StepRow): T => {
  const data = ctx.secretCipher.decryptOrNull(step.encrypted_data, contextOf(step.kind))
  if (data === null) throw tooLate()
  return JSON.parse(data) as T
}

export const tooLate = () => fail('forbidden', 'This sign-in took too long, or it began in another browser. Try again.')
