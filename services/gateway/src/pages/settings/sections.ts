/** The pages of the settings, in the order of their list. */
import type { Config } from '../../config.js'
import { providersOf } from '../providers.js'

export interface Section {
  readonly id: string
  readonly path: string
  readonly label: string
  /** What one finds there, for the overview. */
  readonly about: string
  /** Only where people may sign in with other providers. */
  readonly providers?: true
}

export const SECTIONS = [
  { id: 'home', path: '/settings', label: 'Overview', about: 'Who you are here, and the way to everything else.' },
  {
    id: 'preferences',
    path: '/settings/preferences',
    label: 'Preferences',
    about: 'Languages, who sees what you write, and how you read.',
  },
  {
    id: 'cleanup',
    path: '/statuses_cleanup',
    label: 'Delete old posts',
    about: 'Which of your posts go by themselves once they are old.',
  },
  {
    id: 'account',
    path: '/auth/edit',
    label: 'E-mail and password',
    about: 'The address that messages go to, and the password you sign in with.',
  },
  {
    id: 'second-factor',
    path: '/settings/second_factor',
    label: 'Second factor',
    about: 'Codes from an app, passkeys and security keys, so that a password alone is not enough.',
  },
  {
    id: 'providers',
    path: '/settings/providers',
    label: 'Other logins',
    about: 'Providers that sign you in here.',
    providers: true,
  },
  {
    id: 'sessions',
    path: '/settings/sessions',
    label: 'Sessions',
    about: 'Where you are signed in, and when and from where somebody tried.',
  },
  {
    id: 'applications',
    path: '/oauth/authorized_applications',
    label: 'Apps',
    about: 'Apps that may act for you, and what they may do.',
  },
  {
    id: 'mail',
    path: '/settings/mail',
    label: 'E-mails',
    about: 'What you are written about, and how often.',
  },
  {
    id: 'invites',
    path: '/invites',
    label: 'Invite people',
    about: 'Links by which others can sign up here.',
  },
  {
    id: 'data',
    path: '/settings/export',
    label: 'Import and export',
    about: 'Take your data with you, or bring it here.',
  },
  {
    id: 'move',
    path: '/settings/migration',
    label: 'Move account',
    about: 'Go to another server with your followers, or come here from one.',
  },
  {
    id: 'delete',
    path: '/settings/delete',
    label: 'Delete account',
    about: 'Leave for good; this cannot be undone.',
  },
] as const satisfies readonly Section[]

/** The pages that there are on this server. */
export const sectionsOf = (config: Config): readonly Section[] => {
  const some = providersOf(config).length > 0
  return SECTIONS.filter((one: Section) => some || !one.providers)
}

export type SectionId = (typeof SECTIONS)[number]['id']
