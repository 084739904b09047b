//! Who asks: the address a request comes from, also behind proxies that are trusted to say it.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use ipnet::IpNet;

use crate::error::Problem;

/// Who is counted as one. Of the newer addresses a household has as many as it likes: its first half
/// is its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Client(IpAddr);

impl Client {
    pub(crate) fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(six) => {
                let [a, b, c, d, ..] = six.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
            four @ IpAddr::V4(_) => four,
        })
    }

    /// What is kept of him: nobody learns the address from it.
    pub(crate) fn hashed(self, salt: &str) -> String {
        let text = format!("{salt} {}", self.0);
        blake3::hash(text.as_bytes()).to_hex()[..32].to_owned()
    }
}

/// Proxies that are believed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Proxies(Vec<IpNet>);

impl Proxies {
    pub(crate) fn new(trusted: &[IpNet]) -> Self {
        Self(trusted.to_vec())
    }

    pub(crate) fn trust(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|net| net.contains(&address))
    }

    /// The address behind a request. A header is believed as far as trusted proxies have written it:
    /// from its end, up to the first address that is not one of theirs.
    pub(crate) fn behind(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        if !self.trust(peer) {
            return peer.to_canonical();
        }
        // What the sender wrote himself may be no text at all; a proxy's words stand after it.
        let said = headers.get_all(FORWARDED_FOR).iter();
        let named: Vec<&[u8]> = said.flat_map(|v| v.as_bytes().split(|b| *b == b',')).collect();
        let mut last = peer.to_canonical();
        for name in named.iter().rev() {
            let text = std::str::from_utf8(name).ok();
            let Some(address) = text.and_then(|t| address(t.trim())) else { return last };
            if !self.trust(address) {
                return address;
            }
            last = address;
        }
        last
    }
}

const FORWARDED_FOR: &str = "x-forwarded-for";

/// Whether a request came through somebody who says so.
pub(crate) fn was_forwarded(headers: &HeaderMap) -> bool {
    [FORWARDED_FOR, "forwarded", "via", "x-real-ip"].iter().any(|name| headers.contains_key(*name))
}

/// An address, with a port or without.
fn address(text: &str) -> Option<IpAddr> {
    let with_port = || text.parse::<SocketAddr>().ok().map(|a| a.ip());
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    bare.parse().ok().or_else(with_port).map(|a: IpAddr| a.to_canonical())
}

/// Where a connection comes from, as [`crate::listen`] noted it.
pub(crate) fn peer(parts: &axum::http::Extensions) -> Option<IpAddr> {
    parts.get::<ConnectInfo<SocketAddr>>().map(|c| c.0.ip())
}

impl<S: Send + Sync> FromRequestParts<S> for Client {
    type Rejection = Problem;

    /// [`crate::guard`] has found it out.
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        parts.extensions.get::<Self>().copied().ok_or(Problem::Broken)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{Client, Proxies};
    use axum::http::HeaderMap;

    fn behind(trusted: &[&str], peer: &str, said: &[&str]) -> String {
        let nets: Vec<_> = trusted.iter().map(|t| t.parse().unwrap()).collect();
        let mut headers = HeaderMap::new();
        for value in said {
            let value = axum::http::HeaderValue::from_bytes(value.as_bytes()).unwrap();
            headers.append("x-forwarded-for", value);
        }
        Proxies::new(&nets).behind(peer.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn a_header_counts_only_from_a_trusted_proxy() {
        assert_eq!(behind(&[], "10.0.0.1", &["1.2.3.4"]), "10.0.0.1");
        assert_eq!(behind(&["10.0.0.0/8"], "10.0.0.1", &["1.2.3.4"]), "1.2.3.4");
        assert_eq!(behind(&["10.0.0.0/8"], "11.0.0.1", &["1.2.3.4"]), "11.0.0.1");
        assert_eq!(behind(&["10.0.0.0/8"], "10.0.0.1", &[]), "10.0.0.1");
    }

    #[test]
    fn what_the_sender_wrote_himself_is_not_believed() {
        let trusted = &["10.0.0.0/8"];
        assert_eq!(behind(trusted, "10.0.0.1", &["9.9.9.9, 1.2.3.4"]), "1.2.3.4");
        assert_eq!(behind(trusted, "10.0.0.1", &["9.9.9.9", "1.2.3.4, 10.0.0.7"]), "1.2.3.4");
        assert_eq!(behind(trusted, "10.0.0.1", &["1.2.3.4, nonsense"]), "10.0.0.1");
        assert_eq!(behind(trusted, "10.0.0.1", &["\u{e9}\u{fc}, 1.2.3.4"]), "1.2.3.4");
        assert_eq!(behind(trusted, "::ffff:10.0.0.1", &["1.2.3.4:5678"]), "1.2.3.4");
        assert_eq!(behind(trusted, "10.0.0.1", &["[2001:db8::1]:80"]), "2001:db8::1");
    }

    #[test]
    fn a_household_is_one() {
        let of = |text: &str| Client::of(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2::3"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::3"), of("2001:db8:1:3::3"));
        assert_eq!(of("::ffff:1.2.3.4"), of("1.2.3.4"));
        assert_ne!(of("1.2.3.4"), of("1.2.3.5"));
        assert_ne!(of("1.2.3.4").hashed("a"), of("1.2.3.4").hashed("b"));
    }
}
