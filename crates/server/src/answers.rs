//! Long answers that are on their way. Each is in memory until it has been read, so there is only so
//! much of them at once: somebody who asks and does not read is answered no more.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};

use crate::clients::Client;
use crate::crowd::{Crowd, Guest};
use crate::error::Problem;
use crate::server::Server;

/// Shorter ones are not counted; connections are.
pub(crate) const LONG: usize = 64 * 1024;

/// Bytes on their way at once, in all and to one client.
pub(crate) fn crowd(memory: usize) -> Crowd {
    let in_all = (memory / 4).max(16 << 20);
    Crowd::new(in_all, in_all / 4)
}

/// Room for an answer of so many bytes; none is needed for a short one.
pub(crate) fn room(answers: &Crowd, to: Client, bytes: usize) -> Result<Option<Guest>, Problem> {
    if bytes <= LONG {
        return Ok(None);
    }
    let unread = |_| Problem::busy("Too much is on its way to readers already: read, then ask.");
    answers.enter_with(to, bytes).map(Some).map_err(unread)
}

/// Counts the answer of a request until it has been read.
pub(crate) async fn counted(
    State(server): State<Server>,
    request: Request,
    next: Next,
) -> Response {
    let client = request.extensions().get::<Client>().copied();
    let response = next.run(request).await;
    let bytes = response.body().size_hint().exact().and_then(|n| usize::try_from(n).ok());
    let (Some(client), Some(bytes)) = (client, bytes) else { return response };
    match room(&server.0.answers, client, bytes) {
        Ok(None) => response,
        Ok(Some(guest)) => response.map(|body| {
            Body::new(Counted { body, left: Bytes::new(), bytes: bytes as u64, _guest: guest })
        }),
        Err(problem) => problem.into_response(),
    }
}

/// A body in pieces: the next is taken when the last is nearly sent, so that this is there until the
/// reader has it.
struct Counted {
    body: Body,
    left: Bytes,
    bytes: u64,
    _guest: Guest,
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.left.is_empty() {
            match Pin::new(&mut self.body).poll_frame(context) {
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => self.left = data,
                    Err(other) => return Poll::Ready(Some(Ok(other))),
                },
                other => return other,
            }
        }
        let piece = self.left.len().min(LONG);
        let piece = self.left.split_to(piece);
        self.bytes = self.bytes.saturating_sub(piece.len() as u64);
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.left.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.bytes)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use axum::body::Body;
    use futures_util::StreamExt as _;

    use super::{Counted, LONG, crowd, room};
    use crate::clients::Client;

    #[tokio::test]
    async fn an_answer_is_counted_until_its_last_piece_is_taken() {
        let answers = crowd(0);
        let to = Client::of([1, 2, 3, 4].into());
        assert!(room(&answers, to, LONG).unwrap().is_none(), "a short one is not counted");
        let bytes = 5 * LONG + 7;
        let guest = room(&answers, to, bytes).unwrap().unwrap();
        let body = Body::from(vec![1; bytes]);
        let whole = Counted { body, left: Default::default(), bytes: bytes as u64, _guest: guest };
        let mut pieces = Body::new(whole).into_data_stream();
        let mut got = 0;
        while got < bytes {
            assert_eq!(answers.count(), bytes);
            got += pieces.next().await.unwrap().unwrap().len();
        }
        assert!(pieces.next().await.is_none() && got == bytes);
        drop(pieces);
        assert_eq!(answers.count(), 0);
        // One who reads nothing has a quarter of it; another still has his.
        let mut unread = vec![];
        while let Ok(guest) = room(&answers, to, 1 << 20) {
            unread.push(guest);
        }
        assert_eq!(unread.len(), 4);
        assert!(room(&answers, Client::of([1, 2, 3, 5].into()), 1 << 20).is_ok());
    }
}
