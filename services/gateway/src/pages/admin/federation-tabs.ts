/** Tabs of the federation pages below `/admin`. */
import type { Html } from '../core/html.js'
import { t } from '../core/language.js'
import { tabs } from './table.js'

export const HOSTS = '/admin/federation/hosts'
export const REFUSALS = '/admin/federation/refusals'
export const EXPLAIN = '/admin/federation/explain'

export const healthTabs = (current: string): Html =>
  tabs(
    t('Federation health'),
    [
      [HOSTS, t('Servers')],
      [REFUSALS, t('Refused activities')],
      [EXPLAIN, t('Explain a delivery')],
    ],
    current,
  )

/** Path of the page of one remote server. */
export const hostPath = (host: string): string => `${HOSTS}/${encodeURIComponent(host)}`
