//! The browser client, built from `web/` when the program is built.

/// The files of the client.
#[derive(rust_embed::RustEmbed)]
#[folder = "$WEB_DIST"]
pub struct Assets;
