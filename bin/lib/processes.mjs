/** The processes of `npm start`, and the roles in each. */

/**
 * Process name → services that share it. Requests of client apps are answered by `edge` and `core`. Events, jobs and
 * connections to other servers are in processes of their own, so that a handler that ends its process leaves the API up.
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

/** Threads of the pool: signatures and files are worked on there, and Node has four of them. */
export const threads = { core: 8, work: 8 }
