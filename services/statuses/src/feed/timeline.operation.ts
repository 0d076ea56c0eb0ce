/** Handlers of the home and list timelines, which are read from feeds. */

import { showList } from '@murmuration/contracts/accounts'
import { homeTimeline, listTimeline } from '@murmuration/contracts/statuses'
import { homeRefreshId, refreshHeader } from '../core/async-refresh/rules.js'
import { statusesAt, timelinePage } from '../core/render/pages.js'
import { statusText } from '../core/render/present.js'
import { fitsPlace, isAllowed, isLoaded } from '../core/visibility/shown.js'
import { handle } from '../handlers.js'
import { feedPage } from './page.js'

/** Own statuses of the viewer, and those of followed accounts and hashtags, newest first. */
export const home = handle(homeTimeline, async (ctx, viewer, page) => {
  let building = false
  const timeline = await timelinePage(ctx, viewer.id, page, {
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
  // 206 while the feed is being rebuilt: clients may show the page and load it again.
  return building ? { ...timeline, status: 206, headers: refreshHeader(homeRefreshId(viewer.id)) } : timeline
})

/** Statuses of the members of one of the viewer's lists, newest first. */
export const list = handle(listTimeline, async (ctx, viewer, { id, ...page }) => {
  // Throws if the list is unknown or of another account; the error is the same for both (A043).
  await ctx.call(showList, { id })
  return timelinePage(ctx, viewer.id, page, {
    output: listTimeline.output,
    skeleton: async (cursor) => (await feedPage(ctx, { viewerId: viewer.id, list: id }, cursor)).ids,
    hydrate: statusesAt('list'),
    rules: [isLoaded, isAllowed, fitsPlace],
    present: statusText,
  })
})
