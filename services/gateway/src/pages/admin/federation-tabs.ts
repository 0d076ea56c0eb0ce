/** Tabs, paths and labels of the federation pages below `/admin`. */
import { olderNames } from '@murmuration/contracts/kit'
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

/** Text for the stage at which an activity was refused. */
export const stageLabel = (stage: typeof olderNames.inboxEndpoint | 'worker'): string =>
  stage === olderNames.inboxEndpoint ? t('before it was stored') : t('when it was processed')

/** Path of the page of one remote server. */
export const hostPath = (host: string): string => `${HOSTS}/${encodeURIComponent(host)}`
