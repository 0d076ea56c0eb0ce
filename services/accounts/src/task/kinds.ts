/** Every kind of task that accounts runs. */
import { accountTasks } from '@murmuration/contracts/accounts'
import { taskHandlers } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { selfDestructKind } from '../self-destruct/index.js'
import {
  cullKind,
  endFollowsKind,
  followKind,
  profileMediaKind,
  purgeKind,
  refreshKind,
  rotateKind,
} from '../upkeep/index.js'

export const tasks = taskHandlers<Context>(accountTasks, [
  cullKind,
  endFollowsKind,
  followKind,
  profileMediaKind,
  purgeKind,
  refreshKind,
  rotateKind,
  selfDestructKind,
])
