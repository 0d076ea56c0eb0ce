/** Operations on dead letters of all services, through the kernel of each service: list, show, replay, remove. */
import {
  type AuditAction,
  type DeadLetter,
  dropDeadLetter,
  listDeadLetters as listDeadLettersOperation,
  replayDeadLetter,
  showDeadLetter as showDeadLetterOperation,
} from '@murmuration/contracts/admin'
import { KERNEL, OWNERS, type Owner } from '@murmuration/contracts/kernel'
import { invalidField, notFound, type Viewer } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { record } from '../core/audit-log/record.js'
import { callOwners, ownerNamed, PATIENCE_MS } from '../core/call-kernels.js'
import { handle } from '../handlers.js'
import { idOf, parseDeadLetterId, reasonShown, shownOf } from './rules.js'
import { deadLetterOf } from './view.js'

const byNumber = (a: DeadLetter, b: DeadLetter): number => {
  const [one = 0n, other = 0n] = [a, b].map(({ id }) => BigInt(parseDeadLetterId(id)?.id ?? 0))
  return one > other ? -1 : one < other ? 1 : 0
}

export const list = handle(listDeadLettersOperation, async (ctx, _viewer, { service, queue, limit, max_id }) => {
  const owner = ownerNamed(service)
  const wanted = Math.max(1, limit)
  const { found, unavailable } = await callOwners(ctx, owner === null ? OWNERS : [owner], (one) =>
    ctx.call(
      KERNEL[one].listDeadLetters,
      {
        limit: wanted,
        ...(max_id === undefined ? {} : { before: max_id }),
        ...(queue ? { consumer: queue } : {}),
      },
      { timeoutMs: PATIENCE_MS },
    ),
  )
  const all = [...found].flatMap(([one, { letters }]) => letters.map((letter) => deadLetterOf(one, letter)))
  const page = all.toSorted(byNumber).slice(0, wanted)
  const last = page.at(-1)
  return {
    dead_letters: page,
    next_max_id: last && page.length === wanted ? (parseDeadLetterId(last.id)?.id ?? null) : null,
    unavailable,
  }
})

/**
 * Content of the message in a dead letter. Operators see the whole content, because they have access to the database.
 */
const contentFor = (viewer: Viewer | null, data: string) => {
  if (viewer !== null) return shownOf(data)
  try {
    return { content: JSON.parse(data) as unknown, hidden: 0 }
  } catch {
    return { content: data, hidden: 0 }
  }
}

export const show = handle(showDeadLetterOperation, async (ctx, viewer, { id }) => {
  const parsed = parseDeadLetterId(id)
  if (parsed === null) throw notFound()
  const { letter } = await ctx.call(KERNEL[parsed.owner].showDeadLetter, { id: parsed.id })
  if (letter === null) throw notFound()
  return { ...deadLetterOf(parsed.owner, letter), ...contentFor(viewer, letter.data) }
})

/** The dead letters with these ids, by service. */
const find = async (ctx: Context, ids: readonly string[]) => {
  const byOwner = Map.groupBy(
    [...new Set(ids)].flatMap((id) => parseDeadLetterId(id) ?? []),
    (parsed) => parsed.owner,
  )
  const { found, unavailable } = await callOwners(ctx, [...byOwner.keys()], (owner) =>
    ctx.call(
      KERNEL[owner].listDeadLetters,
      { limit: 500, ids: byOwner.get(owner)?.map(({ id }) => id) ?? [] },
      { timeoutMs: PATIENCE_MS },
    ),
  )
  const letters = [...found].flatMap(([owner, page]) => page.letters.map((letter) => deadLetterOf(owner, letter)))
  return { letters: letters.toSorted(byNumber), unavailable }
}

/** Ids by the outcome at one service. A dead letter that is in neither `done` nor `failed` no longer exists. */
interface Outcome {
  readonly done: readonly string[]
  readonly queued?: readonly string[] | undefined
  readonly failed?: readonly string[]
}

/** Replays or removes the chosen dead letters. `act` does it at one service. */
const change = async (
  ctx: Context,
  viewer: Viewer | null,
  { ids, dry_run }: { ids: readonly string[]; dry_run: boolean },
  action: AuditAction,
  act: (owner: Owner, ids: string[]) => Promise<Outcome>,
) => {
  if (ids.length === 0) throw invalidField("Ids can't be blank")
  const { letters, unavailable } = await find(ctx, ids)
  const known = new Set(letters.map((letter) => letter.id))
  const away = (id: string): boolean => unavailable.some((owner) => owner === parseDeadLetterId(id)?.owner)
  const unknown = ids.filter((id) => !known.has(id))
  const missing = unknown.filter((id) => !away(id))
  const unread = unknown.filter(away)
  if (dry_run || letters.length === 0) return { dead_letters: letters, done: [], failed: unread, missing, unavailable }
  // The audit log entries are stored first, so that no dead letter is changed without an entry.
  await ctx.db.tx((tx) =>
    record(
      ctx,
      tx,
      viewer,
      ...letters.map((letter) => ({
        action,
        targetId: letter.id,
        target: letter.consumer,
        before: { reason: reasonShown(letter.reason), tries: letter.tries, at: letter.at },
      })),
    ),
  )
  const byOwner = Map.groupBy(letters, (letter) => letter.service)
  const responses = await callOwners(ctx, [...byOwner.keys()], (owner) =>
    act(
      owner,
      (byOwner.get(owner) ?? []).flatMap(({ id }) => parseDeadLetterId(id)?.id ?? []),
    ),
  )
  const all = (which: keyof Outcome) =>
    [...responses.found].flatMap(([owner, own]) => (own[which] ?? []).map((id) => idOf({ owner, id })))
  const [done, queued, refused] = [all('done'), all('queued'), all('failed')]
  const unanswered = letters.filter((letter) => !responses.found.has(letter.service)).map((letter) => letter.id)
  const failed = [...refused, ...unanswered]
  const ended = new Set([...done, ...failed])
  return {
    dead_letters: letters,
    done,
    ...(queued.length > 0 && { queued }),
    failed: [...failed, ...unread],
    missing: [...missing, ...letters.flatMap(({ id }) => (ended.has(id) ? [] : [id]))],
    unavailable: [...new Set([...unavailable, ...responses.unavailable])].toSorted(),
  }
}

export const replay = handle(replayDeadLetter, (ctx, viewer, input) =>
  change(ctx, viewer, input, 'replay_dead_letter', async (owner, ids) => {
    const { replayed, queued, failed } = await ctx.call(KERNEL[owner].replayDeadLetters, { ids })
    return { done: replayed, queued, failed }
  }),
)

export const drop = handle(dropDeadLetter, (ctx, viewer, input) =>
  change(ctx, viewer, input, 'destroy_dead_letter', async (owner, ids) => {
    const { dropped } = await ctx.call(KERNEL[owner].dropDeadLetters, { ids })
    return { done: dropped }
  }),
)
