/** A sign-in that is not over: what the next step has to bring back, and what it needs to know. */
import type { Reader } from '@murmuration/db'
import type { Context } from '../context.js'
import { insertStep, type StepKind, type StepRow } from './store.js'

/** Milliseconds that people have for the next step. */
const LIFE_MS: Record<StepKind, number> = { factor: 600_000, key: 300_000, provider: 900_000, identity: 900_000 }

const placeOf = (kind: StepKind): string => `sign-in step ${kind}`

/** The value to bring back; only its digest is kept, and what belongs to it lies sealed. */
export const beginStep = async (
  ctx: Pick<Context, 'tokens' | 'seal' | 'clock'>,
  db: Reader,
  step: { kind: StepKind; userId: string | null; data?: object; challenge?: string },
): Promise<string> => {
  const value = ctx.tokens.random()
  const now = ctx.clock.now()
  await insertStep(db, {
    hash: ctx.tokens.digest(value),
    kind: step.kind,
    user_id: step.userId,
    data_sealed: ctx.seal.close(JSON.stringify(step.data ?? {}), placeOf(step.kind)),
    challenge: step.challenge ?? null,
    createdAt: new Date(now),
    expiresAt: new Date(now + LIFE_MS[step.kind]),
  })
  return value
}

/** The decrypted data of a step. */
export const dataOf = <T>(ctx: Pick<Context, 'seal'>, step: StepRow): T =>
  JSON.parse(ctx.seal.open(step.data_sealed, placeOf(step.kind))) as T
