-- expand: the Deletes and Undos of an account are found, so that staff can look up what was deleted or undone
create index concurrently if not exists activities_ended on activities (actor_id, id) where kind in ('Delete', 'Undo');
