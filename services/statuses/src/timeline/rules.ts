/** Access to live and topic feeds by server settings, separately for local and remote statuses. */
import { fail } from '@murmuration/contracts/kit'
import { can } from '@murmuration/contracts/permissions'

export type Access = 'public' | 'authenticated' | 'disabled'
export interface Sources {
  local: boolean
  remote: boolean
}

/** Sources (local, remote) that a request selects. A request that selects both or none gets both. */
export const sourcesSelected = (asked: { local?: boolean | undefined; remote?: boolean | undefined }): Sources =>
  asked.local === asked.remote || (!asked.local && !asked.remote)
    ? { local: true, remote: true }
    : { local: asked.local === true, remote: asked.remote === true }

/**
 * Sources that are shown. Throws 422 for anonymous viewers if a requested source is not public. Accounts receive the
 * sources that are not disabled. Staff with `view_feeds` receives both sources.
 */
export const sourcesShown = (
  viewer: { permissions: number } | null,
  access: { local: Access; remote: Access },
  asked: Sources,
): Sources => {
  if (viewer === null) {
    if ((asked.local && access.local !== 'public') || (asked.remote && access.remote !== 'public'))
      throw fail('unprocessable', 'This method requires an authenticated user')
    return asked
  }
  const all = can(viewer.permissions, 'view_feeds')
  return {
    local: asked.local && (all || access.local !== 'disabled'),
    remote: asked.remote && (all || access.remote !== 'disabled'),
  }
}
