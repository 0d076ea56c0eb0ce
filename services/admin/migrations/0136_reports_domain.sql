-- expand: reports whose domain is not looked up yet are found without reading the table
create index concurrently if not exists reports_domain_unknown on reports (id) where target_domain is null;
