/** Every job of statuses. */
import type { JobDoor } from '@murmuration/kernel'
import { eraseAuthor } from './erase-author.js'
import { fanOut } from './fan-out.js'
import { fetchParent } from './fetch-parent.js'
import { publishScheduled } from './publish-scheduled.js'
import { removeReblogs } from './remove-reblogs.js'
import { withdraw } from './withdraw.js'

export const jobs: readonly JobDoor[] = [eraseAuthor, fanOut, fetchParent, publishScheduled, removeReblogs, withdraw]
