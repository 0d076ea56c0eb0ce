/** Rules of undo: which actions cannot be undone, and with which error an undo is refused. */
import { UNDO_OBSTACLE_TEXTS, type UndoObstacle } from '@murmuration/contracts/admin'
import { type ErrorText, type Failure, fail } from '@murmuration/contracts/kit'

/** Actions that cannot be undone, each with its reason. */
export const FINAL: Readonly<Record<string, UndoObstacle>> = {
  approve_user: 'approval_is_final',
  reject_user: 'rejection_is_final',
  destroy_account: 'deletion_is_final',
  create_account_warning: 'warning_was_sent',
  destroy_status: 'deletion_is_final',
  approve_appeal: 'appeal_is_final',
  reject_appeal: 'appeal_is_final',
  create_user: 'creation_is_final',
  change_email_user: 'login_is_final',
  confirm_user: 'login_is_final',
  reset_password_user: 'login_is_final',
  disable_2fa_user: 'login_is_final',
  rotate_keys_user: 'task_is_final',
  create_backup_user: 'task_is_final',
  destroy_token_user: 'token_is_final',
  refresh_account: 'task_is_final',
  refresh_accounts: 'task_is_final',
  cull_accounts: 'deletion_is_final',
  prune_accounts: 'deletion_is_final',
  purge_domains: 'deletion_is_final',
  rotate_keys_accounts: 'task_is_final',
  renew_secrets: 'task_is_final',
  follow_account: 'task_is_final',
  remove_media: 'deletion_is_final',
  remove_orphaned_media: 'deletion_is_final',
  purge_custom_emoji: 'deletion_is_final',
  remove_statuses: 'deletion_is_final',
  remove_preview_cards: 'deletion_is_final',
  build_feeds: 'task_is_final',
  clear_feeds: 'task_is_final',
  clear_caches: 'task_is_final',
  self_destruct: 'deletion_is_final',
  refresh_media: 'task_is_final',
  crawl_servers: 'task_is_final',
  end_follows_account: 'deletion_is_final',
  destroy_custom_emoji: 'picture_is_deleted',
  retry_host: 'retry_is_final',
  drop_deliveries: 'deletion_is_final',
  replay_dead_letter: 'retry_is_final',
  destroy_dead_letter: 'deletion_is_final',
  replay_events: 'retry_is_final',
  repair_counters: 'task_is_final',
  stop_task: 'task_is_final',
  publish_terms_of_service: 'terms_are_published',
  test_webhook: 'test_was_sent',
}

/** Text of an obstacle. Another service may respond with an obstacle that this release does not know. */
const obstacleText = (code: UndoObstacle): ErrorText => UNDO_OBSTACLE_TEXTS[code] ?? UNDO_OBSTACLE_TEXTS.not_recorded

export const textOfObstacle = (code: UndoObstacle): string => obstacleText(code).toString()

const STATUS: Partial<Record<UndoObstacle, 'conflict' | 'forbidden'>> = {
  already_undone: 'conflict',
  changed_since: 'conflict',
  not_permitted: 'forbidden',
}

/** The refusal of an undo. `reason` in its body is the code of the obstacle. */
export const refusalOf = (code: UndoObstacle): Failure =>
  fail(STATUS[code] ?? 'unprocessable', obstacleText(code), { body: { reason: code } })
