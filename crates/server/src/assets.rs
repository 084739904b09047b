//! The page, out of the program itself.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use web_assets::Assets;

/// A file of the page; the page itself for every other path without a dot.
pub(crate) async fn file(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let wanted = if path.is_empty() || !path.contains('.') { "index.html" } else { path };
    let Some(found) = Assets::get(wanted) else {
        return (StatusCode::NOT_FOUND, "There is nothing here.").into_response();
    };
    let hash: String =
        found.metadata.sha256_hash()[..12].iter().map(|b| format!("{b:02x}")).collect();
    let etag = format!("\"{hash}\"");
    if headers.get(header::IF_NONE_MATCH).is_some_and(|v| v.as_bytes() == etag.as_bytes()) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    // Files with a hash in their name never change.
    let cache = if wanted.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let mut response = Response::new(Body::from(found.data));
    let kind = HeaderValue::from_str(found.metadata.mimetype());
    let head = response.headers_mut();
    head.insert(header::CONTENT_TYPE, kind.unwrap_or(HeaderValue::from_static("text/plain")));
    head.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    if let Ok(etag) = HeaderValue::from_str(&etag) {
        head.insert(header::ETAG, etag);
    }
    response
}
