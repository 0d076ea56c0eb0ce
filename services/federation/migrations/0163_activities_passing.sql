-- expand: what is told and done with is found without reading everything that people here ever published
create index concurrently if not exists activities_passing on activities (id)
  where kind in ('Accept', 'Reject', 'Flag', 'Delete', 'Undo');
