/** Fetches a status from its own server, after another server forwarded an activity about it, and stores the fetched version. */

import { hostOf, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { accountRecords } from '@murmuration/contracts/accounts'
import { consultOriginJob, fetchObject } from '@murmuration/contracts/federation'
import { notYet } from '@murmuration/contracts/kit'
import { reportFetchResult, statusResolve } from '@murmuration/contracts/statuses'
import { work } from '../handlers.js'
import { isAddressOf } from './activities/author.js'
import { storeEdit } from './activities/note.js'
import { statusOf } from './activities/received.js'

export const consultOrigin = work(consultOriginJob, async (ctx, { uri }, meta) => {
  const { outcome, note } = await ctx.call(fetchObject, { url: uri, fresh: true, behind: true })
  if (outcome === 'later' && meta.tries < consultOriginJob.retry.times) throw notYet('The status cannot be read yet')
  const known = await statusOf(ctx, uri)
  if (known?.deleted || known?.local) return
  // Any server can cause this fetch. The status is deleted only after the response of its own server (410, or 404 for
  // long).
  if (known !== null && (outcome === 'ok' || outcome === 'gone' || outcome === 'not-found'))
    await ctx.call(reportFetchResult, { uri: known.uri, outcome })
  if (note === null || note.uri !== uri) {
    if (known === null) {
      const [reason, host] = [`object-${note === null ? outcome : 'has-another-id'}`, hostOf(uri)]
      ctx.refusals.count('worker', reason, host)
      ctx.refusals.log({ host, reason })
    }
    return
  }
  if (known === null) {
    await ctx.call(statusResolve, { uri, viewer: null, behind: true })
    return
  }
  const [actor] = (await ctx.call(accountRecords, { ids: [known.author] })).records
  if (actor && (await isAddressOf(ctx, note.authorUri as Uri, actor)))
    await storeEdit(ctx, { note, actor, ownerId: null, handles: [], current: true }, known)
})
