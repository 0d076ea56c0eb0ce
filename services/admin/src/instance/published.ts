/** Whether staff publishes statistics and known servers. */
import { notFound } from '@murmuration/contracts/kit'
import { requireLoaded } from '@murmuration/kernel'
import type { Context } from '../context.js'

/**
 * Throws `not_found` if staff does not publish this, and on a server with limited federation. Throws `unavailable` while
 * the instance policy is not loaded.
 */
export const requirePublished = (
  { config, policy }: Pick<Context, 'config' | 'policy'>,
  setting: 'activity_api_enabled' | 'peers_api_enabled',
): void => {
  requireLoaded(policy)
  if (config.limitedFederation || !policy.settings()[setting]) throw notFound('Not Found')
}
