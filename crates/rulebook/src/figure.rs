//! A figure: one value that a clause prints.

use std::collections::BTreeMap;
use std::fmt;

/// One value of a clause, as the book file gives it.
#[derive(Debug, Clone, PartialEq)]
pub enum Figure {
    /// A whole number.
    Int(i64),
    /// A number with a fraction, such as half a fire point.
    Real(f64),
    /// A yes or no, such as "disordered".
    Bool(bool),
    /// A name, such as the group a modifier belongs to.
    Text(String),
    /// Several values in order.
    List(Vec<Figure>),
    /// Named values, such as the two columns of a range.
    Table(BTreeMap<String, Figure>),
}

impl Figure {
    /// What kind of value it is, in words.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Int(_) => "a whole number",
            Self::Real(_) => "a number with a fraction",
            Self::Bool(_) => "true or false",
            Self::Text(_) => "a name in quotes",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
        }
    }

    /// The whole number, where it is one.
    #[must_use]
    pub fn int(&self) -> Option<i64> {
        match self {
            Self::Int(n) => Some(*n),
            _ => None,
        }
    }

    /// The number, whole or not.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        match self {
            #[allow(clippy::cast_precision_loss)] // figures are small
            Self::Int(n) => Some(*n as f64),
            Self::Real(x) => Some(*x),
            _ => None,
        }
    }

    /// The yes or no.
    #[must_use]
    pub fn bool(&self) -> Option<bool> {
        match self {
            Self::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The name.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(s) => Some(s),
            _ => None,
        }
    }

    /// The values of a list.
    #[must_use]
    pub fn list(&self) -> Option<&[Figure]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    /// The named values of a table.
    #[must_use]
    pub fn table(&self) -> Option<&BTreeMap<String, Figure>> {
        match self {
            Self::Table(entries) => Some(entries),
            _ => None,
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(n) => write!(f, "{n}"),
            Self::Real(x) => write!(f, "{x}"),
            Self::Bool(b) => write!(f, "{b}"),
            Self::Text(s) => write!(f, "{s}"),
            Self::List(items) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{item}")?;
                }
                f.write_str("]")
            }
            Self::Table(entries) => {
                f.write_str("{")?;
                for (i, (key, value)) in entries.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{key} {value}")?;
                }
                f.write_str("}")
            }
        }
    }
}
