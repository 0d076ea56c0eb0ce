/** Timelines read from feeds: home and lists. */

import { listShow } from '@murmuration/contracts/accounts'
import { homeTimeline, listTimeline } from '@murmuration/contracts/statuses'
import { homeRefreshId, refreshHeader } from '../core/async-refresh/rules.js'
import { statusesAt, timelinePage } from '../core/render/pages.js'
import { statusText } from '../core/render/present.js'
import { fitsPlace, isAllowed, isLoaded } from '../core/visibility/shown.js'
import { handle } from '../handlers.js'
import { feedPage } from './page.js'

/** Statuses of the people and hashtags the viewer follows, newest first. */
export const home = handle(homeTimeline, async (ctx, viewer, page) => {
  let building = false
  const answer = await timelinePage(ctx, viewer.id, page, {
    output: homeTimeline.output,
    skeleton: async (cursor) => {
      const found = await feedPage(ctx, { viewerId: viewer.id, list: null }, cursor)
      building ||= found.building
      return found.ids
    },
    hydrate: statusesAt('home'),
    rules: [isLoaded, isAllowed, fitsPlace],
    present: statusText,
  })
  // Clients may show what there is and come back (facts: behaviours 5).
  return building ? { ...answer, status: 206, headers: refreshHeader(homeRefreshId(viewer.id)) } : answer
})

/** Statuses of the members of a list of one’s own, newest first. */
export const list = handle(listTimeline, async (ctx, viewer, { id, ...page }) => {
  // Accounts answers for lists; foreign and unknown ones are the same refusal (A043).
  await ctx.call(listShow, { id })
  return timelinePage(ctx, viewer.id, page, {
    output: listTimeline.output,
    skeleton: async (cursor) => (await feedPage(ctx, { viewerId: viewer.id, list: id }, cursor)).ids,
    hydrate: statusesAt('list'),
    rules: [isLoaded, isAllowed, fitsPlace],
    present: statusText,
  })
})
