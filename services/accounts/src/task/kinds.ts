/** Registers all kinds of tasks of the accounts service. */
import { accountTasks } from '@murmuration/contracts/accounts'
import { taskHandlers } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { endFollowsKind, followKind } from '../follow/index.js'
import { cullKind, profileMediaKind, purgeKind, refreshKind } from '../remote-account/index.js'
import { selfDestructKind } from '../removal/index.js'
import { rotateKind } from '../signing-key/index.js'

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
