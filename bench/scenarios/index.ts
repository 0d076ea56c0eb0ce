/** Every scenario, in the order of the table. */
import type { Scenario } from '../lib/scenario.js'
import { create } from './create.js'
import { deadHosts } from './dead-hosts.js'
import { delivery, deliveryLarge } from './delivery.js'
import { fanOut } from './fan-out.js'
import { farewells } from './farewells.js'
import { home } from './home.js'
import { inbox } from './inbox.js'
import { memory } from './memory.js'
import { stream } from './stream.js'

export const SCENARIOS: readonly Scenario[] = [
  home,
  create,
  fanOut,
  inbox,
  delivery,
  deliveryLarge,
  deadHosts,
  farewells,
  stream,
  memory,
]
