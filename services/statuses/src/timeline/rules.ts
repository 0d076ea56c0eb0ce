/** Decides access to live and topic feeds by server settings, separately for local and remote statuses. */
import { fail } from '@murmuration/contracts/kit'
import { can } from '@murmuration/contracts/permissions'

export type Access = 'public' | 'authenticated' | 'disabled'
export interface Sources {
  local: boolean
  remote: boolean
}

/** Sources (local, remote) that a request selects. A request that selects both or none gets both. */
export const sourcesSelected = (requested: { local?: boolean | undefined; remote?: boolean | undefined }): Sources =>
  requested.local === requested.remote || (!requested.local && !requested.remote)
    ? { local: true, remote: true }
    : { local: requested.local === true, remote: requested.remote === true }

/**
 * Sources (local, remote) whose statuses are shown. Throws 422 for anonymous viewers if a requested source is not
 * public. Accounts receive the sources that are not disabled. Staff with `view_feeds` receives both sources.
 */
export const sourcesShown = (
  viewer: { permissions: number } | null,
  access: { local: Access; remote: Access },
  requested: Sources,
): Sources => {
  if (viewer === null) {
    if ((requested.local && access.local !== 'public') || (requested.remote && access.remote !== 'public'))
      throw fail('unprocessable', 'This method requires an authenticated user')
    return requested
  }
  const all = can(viewer.permissions, 'view_feeds')
  return {
    local: requested.local && (all || access.local !== 'disabled'),
    remote: requested.remote && (all || access.remote !== 'disabled'),
  }
}
