/** Handlers of the notification policy, in the form of API v2 and in the older form of v1. */
import { changeFilters, changePolicy, showFilters, showPolicy } from '@murmuration/contracts/notifications'
import { changePolicyOf, policyOf } from '../core/policy.store.js'
import { pendingOf } from '../core/request.store.js'
import { handle } from '../handlers.js'
import { readChoices, readFilters } from './rules.js'
import { filtersJson, policyJson } from './view.js'

/** Returns the notification policy of the viewer, with the counts of waiting notification requests. */
export const show = handle(showPolicy, async (ctx, viewer) => {
  const [policy, pending] = await Promise.all([policyOf(ctx.db, viewer.id), pendingOf(ctx.db, viewer.id)])
  return policyJson(policy, pending)
})

/** Changes the given members of the viewer's notification policy. */
export const change = handle(changePolicy, async (ctx, viewer, input) => {
  const changes = readChoices(input)
  const policy = await ctx.db.tx((tx) => changePolicyOf(tx, viewer.id, changes))
  return policyJson(policy, await pendingOf(ctx.db, viewer.id))
})

/** Returns the notification policy in the older form of API v1. */
export const showPolicyFilters = handle(showFilters, async (ctx, viewer) => {
  const [policy, pending] = await Promise.all([policyOf(ctx.db, viewer.id), pendingOf(ctx.db, viewer.id)])
  return filtersJson(policy, pending)
})

/** Changes the notification policy by parameters in the older form of API v1. */
export const changePolicyFilters = handle(changeFilters, async (ctx, viewer, input) => {
  const changes = readFilters(input)
  const policy = await ctx.db.tx((tx) => changePolicyOf(tx, viewer.id, changes))
  return filtersJson(policy, await pendingOf(ctx.db, viewer.id))
})
