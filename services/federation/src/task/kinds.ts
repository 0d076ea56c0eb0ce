/** Every kind of task that federation runs. */
import { federationTasks } from '@murmuration/contracts/federation'
import { taskHandlers } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { crawlKind } from '../crawl/index.js'

export const tasks = taskHandlers<Context>(federationTasks, [crawlKind])
