-- expand: orders about a domain and its subdomains are read when one of its blocks was removed
create index concurrently if not exists domain_measures_reverse_domain on domain_measures (reverse(domain) text_pattern_ops);
