/** Fetches a status from its own server, after another server forwarded an activity about it, and stores the fetched version. */

import { hostOf, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { accountRecords } from '@murmuration/contracts/accounts'
import { consultOriginJob, fetchObject } from '@murmuration/contracts/federation'
import { notYet } from '@murmuration/contracts/kit'
import { reportFetchResult, resolveStatus } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { work } from '../handlers.js'
import { isAddressOf } from './activities/author.js'
import { storeEdit } from './activities/note.js'
import { statusOf } from './activities/received.js'

/** Counts and logs a fetch without effect. The server that forwarded the activity already got 202. */
const dropped = (ctx: Pick<Context, 'refusals'>, uri: string, reason: string): void => {
  const host = hostOf(uri)
  ctx.refusals.count('worker', reason, host)
  ctx.refusals.log({ host, reason })
}

export const consultOrigin = work(consultOriginJob, async (ctx, { uri }, meta) => {
  const mayWait = meta.tries < consultOriginJob.retry.times
  const { outcome, note } = await ctx.call(fetchObject, { url: uri, fresh: true, behind: true })
  if (outcome === 'later' && mayWait) throw notYet('The status cannot be read yet')
  const known = await statusOf(ctx, uri)
  if (known?.deleted || known?.local) return
  // Any server can cause this fetch. The status is deleted only if its own server responds 410, or 404 for a long time.
  const isReported = known !== null && (outcome === 'ok' || outcome === 'gone' || outcome === 'not-found')
  if (isReported) await ctx.call(reportFetchResult, { uri: known.uri, outcome })
  if (note === null || note.uri !== uri) {
    // If the fetch result was reported, the forwarded activity had an effect, so it is not counted as dropped.
    if (!isReported || note !== null) dropped(ctx, uri, `object-${note === null ? outcome : 'has-another-id'}`)
    return
  }
  if (known === null) {
    const { id, later } = await ctx.call(resolveStatus, { uri, viewer: null, behind: true })
    if (later && mayWait) throw notYet('The status cannot be read yet')
    if (id === null) dropped(ctx, uri, later ? 'object-later' : 'statuses-refuses')
    return
  }
  const [actor] = (await ctx.call(accountRecords, { ids: [known.author] })).records
  if (!actor || !(await isAddressOf(ctx, note.authorUri as Uri, actor))) return dropped(ctx, uri, 'not-yours')
  const edited = await storeEdit(ctx, { note, actor, ownerId: null, current: true }, known)
  if (edited.outcome === 'refused') dropped(ctx, uri, edited.reason ?? 'unknown')
})
