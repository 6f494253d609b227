# Fastly in front of the edge (or of the Ingress): custom VCL, one backend, `F_edge`. Another CDN needs the same rules:
#
#   what                          kept                     key                       may be served stale
#   /assets/…, /remotes/…         for good (immutable)     path, br or not           for good
#   /pictures/…, /static/…        as the origin says       path, query, br or not    a day, when the origin fails
#   everything else               never                    -                         never: pages carry their
#                                                                                    visitor's cookies and flags
#
# Pages vary by Accept-Encoding and Available-Dictionary (RFC 9842): pass both on as they are, and don't compress again.
#
# /remotes and /assets contain the content's version in their path, so deploys and rollbacks never purge. The live
# versions are in the page, which isn't cached.

sub vcl_recv {
#FASTLY recv
  # For operators only.
  if (req.url.path ~ "(?i)^/(health|metrics)(/|$)") {
    error 404 "not found";
  }
  if (!req.http.Fastly-SSL) {
    error 801 "to https";
  }

  if (req.url.path ~ "^/(assets|remotes|pictures|static)/") {
    unset req.http.Cookie;
    # One Brotli and one identity variant.
    if (req.http.Accept-Encoding ~ "\bbr\b") {
      set req.http.Accept-Encoding = "br";
    } else {
      unset req.http.Accept-Encoding;
    }
    if (req.url.path ~ "^/(assets|remotes)/") {
      # The path identifies the file; ignore the query.
      set req.url = req.url.path;
      unset req.http.Range;
    }
    if (req.method == "GET" || req.method == "HEAD") {
      return(lookup);
    }
    return(pass);
  }
  return(pass);
}

sub vcl_fetch {
#FASTLY fetch
  if (req.url.path ~ "^/(assets|remotes|pictures|static)/") {
    unset beresp.http.Set-Cookie;
    if (beresp.status >= 500) {
      # Serve stale files when shells fail.
      if (stale.exists) {
        return(deliver_stale);
      }
      set beresp.cacheable = false;
      return(deliver);
    }
    if (beresp.status != 200) {
      # A release may become available any second.
      set beresp.cacheable = false;
      return(deliver);
    }
    if (req.url.path ~ "^/(assets|remotes)/") {
      set beresp.ttl = 31536000s;
      set beresp.stale_if_error = 31536000s;
    } else {
      set beresp.stale_if_error = 86400s;
      set beresp.stale_while_revalidate = 60s;
    }
    return(deliver);
  }
  # Pages are streamed through.
  set beresp.do_stream = true;
  return(pass);
}

sub vcl_hash {
  set req.hash += req.url;
  set req.hash += req.http.host;
  set req.hash += req.http.Accept-Encoding;
#FASTLY hash
  return(hash);
}

sub vcl_deliver {
#FASTLY deliver
  set resp.http.Strict-Transport-Security = "max-age=31536000; includeSubDomains";
  return(deliver);
}

sub vcl_error {
#FASTLY error
  if (obj.status == 801) {
    set obj.status = 301;
    set obj.response = "Moved Permanently";
    set obj.http.Location = "https://" req.http.host req.url;
    synthetic "";
    return(deliver);
  }
  if (stale.exists) {
    return(deliver_stale);
  }
  return(deliver);
}
