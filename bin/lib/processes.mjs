/** The processes of `npm start`, and the roles in each. */

/**
 * Roles of each process of `npm start`, by process name. `edge` and `core` serve requests of clients. Events, jobs and
 * connections to other servers are in separate processes, so that a handler that crashes its process does not affect
 * the API.
 */
export const processes = {
  edge: ['gateway', 'streaming'],
  core: ['accounts:api,identity', 'statuses:api', 'notifications:api', 'admin:api', 'media:api'],
  jobs: [
    'accounts:reactor',
    'statuses:reactor,fanout,links',
    'notifications:reactor,mail,push',
    'admin:worker,webhooks',
  ],
  work: ['federation', 'media:worker'],
}

/** Number of threads in the libuv pool, by process name. Signatures and file access use this pool. The default of Node is four. */
export const threads = { core: 8, work: 8 }
